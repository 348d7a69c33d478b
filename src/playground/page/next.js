// What to try next, once something has been learned, or long tried: at most three things to press, each of which shows
// something new. One that begins other models asks for a guess first, as the page does.
const most_ideas = 3, enough_steps = 200, tried = new Set();
let offering = false;  // and so until other models begin
const bare_lane = () => state.lanes.findIndex((lane) => lane.learned && lane.scheme === 'none' && lane.last);
const whole_lane = () => state.lanes.findIndex((lane) => lane.learned && lane.scheme !== 'none' && !lane.events.length);
const press_lane = (index, button) => one(button, lanes[index]).click();
const other_models = (what, fits = () => true) => ({
  model: what.model,
  fits: () => fits() && Object.keys(what).some((key) => String(setup[key]) !== String(what[key])),
  press: (name) => {
    longer_seen = false;
    choose({ ...what, length: usual.length });
    note(`ask-${name}`);
    one('#train').focus();
  },
});
const without_two = 'rope:still=1/2';  // RoPE without the two clocks that cost it longer inputs
const ideas = {
  back: { fits: () => bare_lane() >= 0, press: () => press_lane(bare_lane(), '.back') },
  away: { fits: () => whole_lane() >= 0, press: () => press_lane(whole_lane(), '.away') },
  decoder: other_models({ task: 'before', schemes: ['none', 'rope'], model: 'decoder' },
    () => setup.task === 'before' && setup.model === 'encoder'),  // one thing at a time
  clocks: other_models({ task: 'needle', schemes: ['rope', without_two], model: 'decoder' },
    () => setup.task === 'needle' && !setup.schemes.includes(without_two)),
  control: other_models({ task: 'needle', schemes: ['rope:still=3/4', without_two], model: 'decoder' },
    () => setup.task === 'needle' && setup.schemes.join() === `rope,${without_two}`),
  before: other_models({ task: 'before', schemes: ['none', 'rope'], model: 'encoder' },
    () => setup.task !== 'before'),
  needle: other_models({ task: 'needle', schemes: ['none', 'rope'], model: 'decoder' },
    () => setup.task !== 'needle'),
  majority: other_models({ task: 'majority', schemes: ['none', 'sinusoidal'], model: 'encoder' }),
  sort: other_models({ task: 'sort', schemes: ['sinusoidal', 'rope'], model: 'encoder' }),
};
const forget_ideas = () => {
  offering = false;
  one('#next').hidden = true;
};
const offer_ideas = () => {
  if (telling) return;
  offering = offering || (!state.running && state.lanes.some((lane) => lane.learned || lane.step >= enough_steps));
  const fitting = Object.keys(ideas).filter((name) => ideas[name].fits())
    .sort((a, b) => tried.has(a) - tried.has(b)).slice(0, most_ideas);  // what was tried comes last
  one('#next').hidden = !offering || !fitting.length;
  if (one('#next').hidden || !changed(one('#next'), [setup.model, ...fitting].join())) return;
  one('#ideas').replaceChildren(...fitting.map((name) => {
    const onclick = () => {
      tried.add(name);
      ideas[name].press(name);
    };
    const button = make('button', { type: 'button', onclick });
    const to = ideas[name].model || setup.model, is_said = name === 'decoder';
    const bracket = to === setup.model || is_said ? '' : ` ${word('idea-model', { model: to })}`;
    prose(button, word(`idea-${name}`) + bracket);
    return button;
  }));
};
listeners.add(offer_ideas);
