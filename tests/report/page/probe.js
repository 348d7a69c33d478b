// Runs within the page (browser_test.cpp): looks for what is cut or overlaps, then uses it like a reader: chooses a
// scheme by its button, enlarges cells, moves the length, guesses.
addEventListener('load', () => {
  const faults = [], all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) faults.push(`the page is ${wide} wide`);
  const check = (frame, texts) => texts.forEach(([words, box], i) => {
    if (box.left < frame.left - 1 || box.right > frame.right + 1 ||
        box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
      faults.push(`'${words}' is cut`);
    for (const [other, its] of texts.slice(0, i)) {
      const across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
      const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
      if (across > 1 && down > 3) faults.push(`'${words}' and '${other}' overlap`);
    }
  });
  const boxes = (things) =>
    things.map((one) => [one.textContent || one.getAttribute('aria-label'), one.getBoundingClientRect()]);
  for (const svg of all('figure svg[role]')) check(svg.getBoundingClientRect(), boxes(all('text', svg)));
  for (const grid of all('.grid')) {
    const box = grid.getBoundingClientRect();
    check({ left: 0, right: box.right, top: box.top - 1, bottom: box.bottom + 1 },
          boxes(all('td svg, td b, th .name, thead th', grid)));
  }
  const grid = document.querySelector('.grid'), order = () => all('tbody tr', grid).map((row) => row.dataset.series);
  const numbers = () => all('td b', grid).map((one) => one.textContent).join(' ');
  const pressed = () => all('.grid .name[aria-pressed=true]').map((one) => one.dataset.series)[0] || '';
  const escape = () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  const seen = { width: innerWidth, faults, paper: getComputedStyle(document.body).backgroundColor,
    buttons: all('.name', grid).length, headings: all('h1, h2, h3').map((one) => one.tagName[1]).join(''),
    first: grid.getBoundingClientRect().top };

  const second = all('.name', grid)[1];
  second.focus();
  seen.focused = document.activeElement === second;
  second.click();
  seen.pressed = pressed() === order()[1];
  seen.kept = all('[data-series]').every((one) => one.classList.contains('faded') ===
      (one.dataset.series !== order()[1] && !one.matches('button')));
  // For readers who cannot see well, or not at all: as axe-core would check it.
  const parts = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);
  const light = (colour) => parts(colour).slice(0, 3).map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (one) => {
    for (; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor, [, , , alpha = 1] = parts(colour);
      if (alpha > 0) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  for (const fold of all('details')) fold.open = true;
  const contrasts = () => all('body *').forEach((one) => {
    const words = [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join('');
    if (!words || !one.checkVisibility() || one.closest('script, style, title')) return;
    const style = getComputedStyle(one), svg = one.closest('svg');
    for (let above = one; above; above = above.parentElement)
      if (getComputedStyle(above).opacity < 1) faults.push(`'${words}' is dimmed`);
    const [a, b] = [light(svg ? style.fill : style.color), light(ground(one))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) faults.push(`'${words}' has contrast ${contrast.toFixed(2)}`);
    const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
    if (svg && parseFloat(style.fontSize) * scale < 11) faults.push(`'${words}' is ${parseFloat(style.fontSize) * scale}`);
  });
  contrasts();  // with a name pressed, and without
  escape();
  seen.restored = all('.faded').length;
  contrasts();
  for (const one of all('th')) if (!one.getAttribute('scope')) faults.push(`'${one.textContent}' has no scope`);
  for (const one of all('svg'))
    if (!one.closest('[aria-hidden]') && (one.getAttribute('role') !== 'img' || !one.getAttribute('aria-label')))
      faults.push('a drawing without role or title');
  for (const one of all('button, [role=button]')) {
    const high = one.getBoundingClientRect().height;
    if (!(one.textContent.trim() || one.getAttribute('aria-label'))) faults.push('a button without a name');
    if (one.checkVisibility() && high < 32) faults.push(`the button '${one.textContent}' is ${high} high`);
  }
  for (const box of all('.scroll')) {
    if (!box.clientWidth || box.scrollWidth <= box.clientWidth + 1) continue;
    const said = getComputedStyle(box, '::after').content, first = box.querySelector('tbody th');
    box.scrollLeft = 40;
    if (!said.includes('scroll')) faults.push(`'${box.getAttribute('aria-label')}' does not say that it scrolls`);
    if (Math.abs(first.getBoundingClientRect().left - box.getBoundingClientRect().left) > 1)
      faults.push(`'${first.textContent}' scrolls away`);
    box.scrollLeft = 0;
  }
  for (const fold of all('details')) fold.open = false;

  // A click on a cell enlarges what its title says.
  seen.enlarged = all('td svg').filter((svg) => svg.closest('.grid') === grid).every((svg) => {
    const tip = svg.closest('td').title, large = document.querySelector('dialog');
    svg.closest('td').click();
    const words = large.textContent.trim();
    const well = large.open && tip !== '' && words.includes(tip) && words.includes('learning rate') &&
        all('text', large).map((one) => one.textContent).join(' ') === '1 0 12 24 tokens';
    large.close();
    return well;
  });
  const shape = all('figure [data-series] circle, figure [data-series] polygon')[0], at = { bubbles: true };
  shape.dispatchEvent(new MouseEvent('click', at));
  seen.named = shape.textContent.startsWith(pressed() + ' on ');
  escape();
  // Selecting text selects text.
  getSelection().selectAllChildren(document.querySelector('h1'));
  shape.dispatchEvent(new MouseEvent('click', at));
  seen.selecting = pressed();
  getSelection().removeAllRanges();

  const slider = document.querySelector('.tools input'), move = (value) => {
    slider.value = value;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const longest = [numbers(), order().join(' ')];
  move(0);
  seen.trained = document.querySelector('.reading span').textContent;
  seen.moved = numbers() !== longest[0] && order()[0] === 'none';
  move(2);
  seen.back = numbers() === longest[0] && order().join(' ') === longest[1];

  // The guess: offered before any answer, by buttons large enough for a finger, and without a hole in the page.
  const style = (selector) => getComputedStyle(document.querySelector(selector));
  const start = document.querySelector('.start'), guess = document.querySelector('.guess'),
        answer = document.querySelector('.answer');
  seen.before = start.getBoundingClientRect().bottom <= answer.getBoundingClientRect().top + 1;
  start.click();
  seen.hidden = [document.querySelector('h1').textContent, style('#more').display, style('.grid td svg').visibility].join(' ');
  seen.hole = document.querySelector('h1').getBoundingClientRect().top - guess.getBoundingClientRect().bottom;
  const choices = all('.choices button');
  seen.smallest = Math.min(...choices.map((one) => one.getBoundingClientRect().height));
  seen.asked = choices.map((one) => one.textContent).join(' ').endsWith('Show the answer');
  choices.find((one) => one.textContent === 'alibi').click();
  seen.guess = document.querySelector('[role=status]').textContent;
  seen.told = style('.findings').display;
  parent.postMessage(JSON.stringify(seen), '*');
});
