// The answer, token by token, where a head looks; and the one function that draws all that has changed.

const looking = [null, null];  // the token of the answer that is pointed at
const clearest = -1;
let head = clearest;  // as chosen, of all layers
const draw_answer = (place, lane, index) => {
  const input = state.input.split(' '), given = lane.answer.said ? lane.answer.said.split(' ') : [];
  const { right, wrong } = lane.answer, rights = right ? right.split(' ') : [];
  // One answer for all of the input stands behind it.
  const single = has_one_answer(), start = single ? input.length : 0;
  const all_said = given.map((token) => task().alphabet.includes(token) ? token : '·');  // or a mark of the decoder
  // An untrained decoder may not stop: what is more than can be right is one sign, so the input stays on its lines.
  const room = single ? 1 : rights.length ? Math.max(input.length, rights.length) : all_said.length;
  const answer = all_said.slice(0, room);
  if (all_said.length > room) answer[room - 1] += '…';
  const is_wrong = (of) => wrong[of] !== '0' || (of === room - 1 && all_said.length > room);
  let columns = one('.columns', place);
  const count = Math.max(input.length, start + Math.max(answer.length, rights.length));
  const longest = Math.max(...[...input, ...answer, ...rights].map((token) => token.length));
  const in_line = longest > 3 ? 5 : longest > 2 ? 8 : count > 25 ? 16 : single ? 13 : 12;
  const has_answers = (i) => i >= in_line * Math.floor(start / in_line) &&
    i < in_line * Math.ceil(Math.max(1, start + answer.length, start + rights.length) / in_line);  // of a line
  const key = [count, in_line, start, Math.max(answer.length, rights.length)].join();
  if (!columns || columns.dataset.key !== key) {
    columns = make('div', { className: count > 24 ? 'columns long' : 'columns' });
    columns.dataset.key = key;
    columns.style.setProperty('--in-line', in_line);
    for (let i = 0; i < count; ++i) {
      // Each line begins with what its rows are.
      if (i % in_line === 0)
        columns.append(make('div', { className: 'rows', ariaHidden: true },
          (has_answers(i) ? ['input', 'answers', 'rights'] : ['input']).map((row) =>
            make('span', { textContent: word(`row-${row}`) }))));
      const parts = [make('i'), make('b'), make('s')];
      const button = make('button', { type: 'button', tabIndex: i ? -1 : 0 }, parts);
      button.classList.toggle('unanswered', !has_answers(i));
      for (const kind of ['pointerenter', 'focus', 'click']) button.addEventListener(kind, () => look(index, i));
      columns.append(button);
    }
    columns.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], tokens = all('button', columns);
      const next = tokens[tokens.indexOf(event.target) + step];
      if (!step || !next) return;
      event.target.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
      event.preventDefault();
    });
    for (const kind of ['pointerleave', 'focusout']) columns.addEventListener(kind, () => look(index, null));
    place.replaceChildren(columns, make('p', { className: 'count' }), make('p', { className: 'look' }));
    looking[index] = null;
  }
  columns.classList.toggle('unknown', !right);
  all('button', columns).forEach((button, i) => {
    const [above, below, should] = button.children;
    // A dash where it has stopped too soon.
    const of = i - start, said = answer[of] ?? (rights[of] && lane.answer.said ? '–' : undefined);
    put(above, input[i] ?? (!single || of !== 0 ? '' : lane.generates ? '⊣' : '→'));
    put(below, said ?? '');
    const look = said === undefined || !right ? '' : is_wrong(of) ? 'wrong' : 'right';
    if (below.className !== look) below.className = look;
    put(should, rights[of] ?? '');
  });
  put(one('.count', place), !lane.answer.said ? word('none')
    : right ? word(lane.step ? 'right' : 'untrained-answer',
      { right: rights.filter((_, of) => !is_wrong(of)).length, all: rights.length, unlike: input.length === state.length
        ? '' : word('right-unlike', { count: input.length, length: state.length }),
      endless: all_said.length > room ? word('endless') : '',
      mean: single && !lane.generates ? word('right-mean') : '' })
    : word('unknown', { wanted: task().layout ? word('unknown-wanted', task()) : '' }));
  if (looking[index] === null) {
    for (const button of all('button', columns)) button.style.removeProperty('--seen');
    put(one('.look', place), word(matchMedia('(hover: none)').matches ? 'look-hint-touch' : 'look-hint'));
  }
};
const name_of_head = (i) => word('head', { layer: Math.floor(i / model().heads), head: i % model().heads });
const head_at_start = (i) => name_of_head(i).replace(/^./, (letter) => letter.toUpperCase());
const offer_heads = () => {
  const count = model().layers * model().heads;
  head = Math.min(head, count - 1);
  one('#head').replaceChildren(make('option', { value: clearest, textContent: word('head-clearest') }),
    ...[...Array(count).keys()].map((i) => make('option', { value: i, textContent: name_of_head(i) })));
  one('#head').value = head;
};
one('#head').addEventListener('change', ({ target }) => {
  head = Number(target.value);
  lanes.forEach((_, index) => send({ do: 'head', of: Math.max(0, head), index }));
  for (const listener of [...listeners]) listener();
  draw_soon();
});
const look = (index, i) => {
  looking[index] = i;
  if (i === null) {
    tick();
    return state && draw();
  }
  send({ do: 'attend', index });
};
listeners.add(() => looking.forEach((i, index) => { if (i !== null && state.running) send({ do: 'attend', index }); }));
// What a head of a learned encoder reads of the input, as a map and in words: the chosen one, or that with the clearest
// habit.
const reading = [null, null], asked = ['', ''];
const is_moving = (lane) => state.running && lane.status === 0;
const model_of = (lane) => [lane.step, lane.first, setup.task, setup.seed].join();  // its weights
const reading_of = (lane) => [model_of(lane), lane.scheme, state.input, head].join();
const row_of = (map, size, query) => map.slice(query * size, (query + 1) * size);
const habit_of = (map, tokens, lane) => {
  const size = tokens.length, { trained } = lane;
  let best = { share: 0, what: '', fixed: false };
  if (lane.blind === 2 || is_bare(lane)) return best;  // it sees no place
  // A habit is kept by most rows: no other token of the row has more weight.
  const consider = (what, key_of, fixed = false) => {
    let sum = 0, queries = 0, rows = 0;
    for (let query = 0; query < size; ++query) {
      const key = key_of(query), row = row_of(map, size, query);
      if (key < 0 || key >= size) continue;
      sum += row[key];
      ++queries;
      if (row[key] >= Math.max(...row)) ++rows;
    }
    if (2 * queries >= size - 2 && rows >= 0.75 * queries && sum / queries > best.share)
      best = { share: sum / queries, what, fixed };
  };
  consider(word('reads-mirror'), (query) => size - 1 - query);
  consider(word('reads-itself'), (query) => query);
  for (let n = 1; n < size; ++n) {
    consider(word(n === 1 ? 'reads-before' : 'reads-back', { n }), (query) => query - n);
    consider(word(n === 1 ? 'reads-after' : 'reads-on', { n }), (query) => query + n);
  }
  for (let n = 0; n < size; ++n) consider(word('reads-place', { n: n + 1, token: tokens[n] }), () => n, true);
  if (size < trained && best.share < clear)
    consider(word('reads-mirror-of', { n: trained }), (query) => trained - 1 - query);
  if (size > trained && best.share < clear) {  // a habit of the trained places only
    consider(word('reads-mirror-trained', { n: trained }), (query) => trained - 1 - query);
    consider(word('reads-before-trained', { n: trained }), (query) => query < trained ? query - 1 : -1);
  }
  return best;
};
// The share of its attention from which on a head has a habit.
const clear = 1 / 3;
// What a model that has learned its task loses when this head is silenced.
const loss_of = (lane, now) => {
  const was = accuracy_of(lane, lane.trained);
  return was >= solved_from ? was - now : NaN;
};
const worth_of = (lane, name, now) => {
  const was = accuracy_of(lane, lane.trained), loss = loss_of(lane, now);
  const about = { head: name, now: percent(now), was: percent(was), length: lane.trained };
  return Number.isNaN(loss) ? '' : ` ${word(loss < was / 2 ? 'reads-worth-part' : 'reads-worth', about)}`;
};
// What a decoder reads for its first answer stands in the row of the end mark.
const keep_reading = (index, lane, { maps, size, weights, read, right }) => {
  const all_maps = [...Array(maps).keys()].map((at) => weights.slice(at * size * size, (at + 1) * size * size));
  const answers = lane.generates ? end_of(state.input) : -1;
  const tokens = read.map((token, at) => answers < 0 ? token : at === 0 ? '⊢' : at === answers ? '⊣' : token);
  const habits = all_maps.map((map) => lane.generates ? { share: 0 } : habit_of(map, tokens, lane));
  const shares = habits.map((habit) => habit.share);
  const largest = all_maps.map((map) => tokens.map((_, query) => Math.max(...row_of(map, size, query))));
  // (What reads the start mark has nothing to read.)
  const read_at = (at, query) => row_of(all_maps[at], size, query).indexOf(largest[at][query]);
  const read_by = (at) => read_at(at, answers);
  const sharpness = largest.map((rows, at) => !lane.generates
    ? rows.reduce((sum, weight) => sum + weight, 0) / size : read_by(at) ? rows[answers] : 0);
  const by = Math.max(...shares) >= clear ? shares : sharpness;
  // The clearest head of a model stays the one that is shown, whatever its next input.
  const before = reading[index], is_same = before && before.model === model_of(lane);
  const best = is_same ? before.best : by.indexOf(Math.max(...by));
  const shown = head === clearest ? best : Math.min(head, maps - 1);
  const { what, fixed } = habits[shown];
  // At how many places the answer is the token that the head reads.
  const said = lane.answer.said.split(' ');
  const same = tokens.filter((_, query) => tokens[read_at(shown, query)] === said[query]).length;
  const names_it = task().form === 'labelling' && !lane.generates && same >= 0.9 * size;
  const values = { head: name_of_head(shown), Head: head_at_start(shown), what, same, size,
                   weight: percent(shares[shown]),
                   is_answer: names_it ? word('reads-answers', { same, size }) : '' };
  const is_clear = shares[shown] >= clear, map = all_maps[shown];
  if (lane.generates) {
    const token = name_of_token(lane, read, read_by(shown));
    Object.assign(values, { token, weight: percent(largest[shown][answers]),
                            is_answer: read[read_by(shown)] === said[0] ? word('reads-answer')
                              : has_one_answer() && read_by(shown) < answers ? word('reads-other') : '' });
  }
  const is_most = largest[shown][answers] >= 0.5;
  const to_answer = lane.generates && (!read_by(shown) ? 'reads-start' : is_most ? 'reads-to-answer' : 'reads-first');
  // Where no place explains what it reads, what the tokens are may.
  const reads_answers = !is_clear && !to_answer && task().form === 'labelling' && same >= size / 2;
  const is_beside = is_clear && fixed && !to_answer && !names_it;  // one token that all read says nothing of the others
  // A map explains only where the model needs the head.
  const is_needed = !(loss_of(lane, right[shown]) < near);
  const says_nothing = is_beside || (!is_clear && !reads_answers && !to_answer);
  const why_no_map = says_nothing ? 'reads-nothing' : is_needed ? '' : 'reads-spread';
  const hides_map = head === clearest && why_no_map !== '';
  const words = hides_map ? word(why_no_map, { ...values, now: percent(right[shown]), length: lane.trained })
    : word(to_answer || (is_clear ? 'reads' : reads_answers ? 'reads-what' : 'reads-nothing'), values) +
      worth_of(lane, values.head, right[shown]);
  const { step, scheme } = lane;
  reading[index] = { of: reading_of(lane), model: model_of(lane), best, input: state.input, step, scheme, size,
                     hides_map, shown, tokens, map, words };
  if (codes[index].kind > 2 && codes[index].head !== shown) send({ do: 'head', of: shown, index });
  find();
  draw();
};
listeners.add(() => state.lanes.forEach((lane, index) => {
  const now = reading_of(lane);
  if (!lane.learned || is_moving(lane) || asked[index] === now) return;
  asked[index] = now;
  send({ do: 'attend', index });
}));
// A decoder reads a start mark, the input, an end mark, and what it has answered.
const end_of = (input) => input.split(' ').length + 1;
const name_of_token = (lane, read, at) => {
  const token = read[at], after = at - end_of(state.input);
  if (lane.generates && at === 0) return word('read-start');
  if (lane.generates && after >= 0) return word(after ? 'read-answer' : 'read-end', { token, at: after });
  return word('read-token', { token, at: lane.generates ? at : at + 1 });
};
const show_attention = (attention) => {
  const { index, maps, size, weights, read } = attention;
  const i = looking[index], lane = state && state.lanes[index];
  const is_done = lane && lane.learned && !is_moving(lane), least = state ? state.input.split(' ').length : 0;
  if (is_done && maps && size === read.length && size >= least) keep_reading(index, lane, attention);
  if (i === null || !lane || !maps) return;
  const input = state.input.split(' '), before = lane.generates ? 1 : 0;
  const of = has_one_answer() ? Math.max(0, i - input.length) : i;
  const query = Math.min(size - 1, lane.generates ? input.length + 1 + of : i);
  const map = head === clearest ? (reading[index] || { shown: 0 }).shown : Math.min(head, maps - 1);
  const is_mean = has_one_answer() && !lane.generates && i >= input.length;  // the answer of an encoder
  const rows = is_mean ? [...Array(size).keys()] : [query];
  const row = [...Array(size).keys()].map((key) =>
    rows.reduce((sum, of) => sum + weights[(map * size + of) * size + key], 0) / rows.length);
  const token_of = (at) => name_of_token(lane, read, at);
  const buttons = all('.columns button', lanes[index]);
  buttons.forEach((button, key) => button.style.setProperty('--seen', Math.sqrt(row[key + before] || 0).toFixed(3)));
  const most = row.map((value, key) => [value, key]).sort((a, b) => b[0] - a[0]);
  pairs[index] = is_mean ? null : [query, most[0][1]];
  tick();
  const best = most.slice(0, 2)
    .filter(([value], rank) => rank === 0 || value >= 0.01)
    .map(([value, key]) => word('seen', { token: token_of(key), weight: percent(value) })).join(', ');
  one('.look', lanes[index]).textContent = word('look', { head: head_at_start(map), seen: best, count: maps,
    token: is_mean ? word('look-mean') : token_of(query) });
};

// The colours of the schemes: a lane keeps that of the scheme that it began with; two lanes never share one.
const dress = () => {
  const colours = state.lanes.map((lane) => scheme_of(lane.first));
  if (colours[0].light === colours[1].light)
    colours[0] = ['alibi', 'rope'].map(scheme_of).find(({ light }) => light !== colours[1].light);
  if (!changed(chart.parentNode, JSON.stringify(colours))) return;
  lanes.forEach((place, index) => {
    const { light, dark } = colours[index];
    place.style.setProperty('--light', light);
    place.style.setProperty('--dark', dark);
    chart.style.setProperty(`--light${index}`, light);
    chart.style.setProperty(`--dark${index}`, dark);
  });
};

const at_limit = 5;  // a status of the thread (worker.js); the others are those of the engine
const under = { 2: 'under-early', [at_limit]: 'under-limit' };
const draw = () => {
  if (!state) return;
  dress();
  lanes.forEach((place, index) => {
    const lane = state.lanes[index], value = (lane.accuracy[state.length] || {}).value;
    put(one('.number b', place), percent(value));
    // Where an input has one answer, 128 inputs are a small test. Where it has many tokens, one wrong makes all of it
    // wrong: both are said.
    const is_part = value > 0 && value < 1, { tokens, answers } = lane.accuracy[state.length] || {};
    put(one('.number em', place), !is_part ? '' : has_one_answer()
      ? word('points', { points: points_of(value) }).replace(/ /g, '\u00a0')
      : lane.generates ? word('answers-tokens', { tokens: percent(tokens) })
      : word('tokens-answers', { answers: percent(answers) }));
    put(one('.number span', place),
      word(has_one_answer() ? 'answer' : lane.generates ? 'answers' : 'tokens', { length: state.length }));
    const most = lane.began + model().steps;
    const is_kept = accuracy_of(lane, lane.trained) >= solved_from || lane.status === 0;
    const solved = lane.solved ? word(is_kept ? 'under-solved' : 'under-lost', { step: lane.solved }) : '';
    const end = lane.status === 0 ? '' : word(lane.step < most && under[lane.status] || 'under-ended');
    const how = [end, solved].filter(Boolean).join(', ');
    put(one('.under', place), word('under', { step: lane.step, length: lane.trained, how: how && `(${how})` }));
    place.classList.toggle('bare', is_bare(lane));
    put(one('.what', place), is_bare(lane)
      ? word('what-bare', { scheme: name_before(lane) })
      : scheme_of(lane.scheme).summary);
    draw_curve(one('.curve', place), lane);
    draw_answer(one('.answer', place), lane, index);
    for (const part of all('.answer, .clocks, .codes, .read', place))
      part.dataset.of = is_bare(lane) ? word('bare', { scheme: name_before(lane) }) : name_of_lane(lane);
    draw_map(one('.read', place), lane, index);
    draw_codes(one('.codes', place), lane, index);
  });
  draw_chart();
  one('#marks').hidden = !state.lanes[0].generates;
  one('#heads').hidden = head === clearest && all('.read').every((place, i) =>
    (place.hidden || place.classList.contains('no-map')) && codes[i].kind < 3);
  const [one_size, other_size] = state.lanes.map((lane) => lane.size.toLocaleString('en'));
  const sizes = one_size === other_size ? one_size : word('about-sizes', { one_size, other_size });
  put(one('#about'), word('about', { size: sizes, ...model(), seed: setup.seed }));
  if (!typed && one('#input').value !== state.input) one('#input').value = state.input;
  buttons();
  remember();
};
