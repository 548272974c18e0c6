/**
 * The script of every page. Without it, the page shows everything, folded; the controls and the buttons stay hidden.
 * Entries have `data-outcome`, their groups `data-group`. It is text, so that no bundler changes it.
 */
export const SCRIPT = String.raw`
  const entries = [...document.querySelectorAll('[data-outcome]')];
  const controls = document.querySelector('.controls');
  const search = document.querySelector('.controls input[type=search]');
  const choices = [...document.querySelectorAll('.controls input[type=radio]')];
  const shown = document.querySelector('.shown');

  function filter() {
    const words = (search?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const outcome = choices.find(({ checked }) => checked)?.value ?? '';
    for (const entry of entries) {
      const text = (entry.textContent ?? '').toLowerCase();
      const isOther = outcome !== '' && entry.dataset['outcome'] !== outcome;
      entry.hidden = isOther || !words.every((word) => text.includes(word));
    }
    for (const group of document.querySelectorAll('[data-group]')) {
      group.hidden = [...group.querySelectorAll('[data-outcome]')].every(({ hidden }) => hidden);
    }
    const number = entries.filter(({ hidden }) => !hidden).length;
    if (shown === null) return;
    shown.hidden = number === entries.length && words.length === 0;
    shown.textContent = shown.hidden ? '' : number + ' of ' + entries.length + ' requirements shown';
  }

  /** Shows what the address points to, wherever it is folded or filtered out. */
  function reveal() {
    // No id has a character that an address would have to encode.
    const target = document.getElementById(window.location.hash.slice(1));
    if (target?.closest('[data-outcome]')?.hidden) {
      for (const choice of choices) choice.checked = choice.value === '';
      if (search !== null) search.value = '';
      filter();
    }
    let folded = target?.closest('details');
    while (folded) {
      folded.open = true;
      folded = folded.parentElement?.closest('details');
    }
    target?.scrollIntoView();
  }

  /** Copies the command beside a button, and says so. */
  async function copy(button) {
    const command = button.closest('dd').querySelector('pre').textContent;
    const said = button.previousElementSibling;
    said.textContent = await navigator.clipboard.writeText(command).then(() => 'copied', () => 'not copied');
    setTimeout(() => (said.textContent = ''), 3_000);
  }

  if (controls !== null) controls.hidden = false;
  controls?.addEventListener('input', filter);
  document.addEventListener('click', ({ target }) => {
    // The address does not change when the same link is followed again.
    if (target.closest('a[href^="#"]') !== null) setTimeout(reveal);
  });
  // Where a page is neither a file nor came over HTTPS, browsers have no clipboard.
  for (const button of navigator.clipboard ? document.querySelectorAll('button') : []) {
    button.hidden = false;
    button.addEventListener('click', () => copy(button));
  }
  window.addEventListener('hashchange', reveal);
  // What a browser kept of an earlier visit.
  filter();
  reveal();
`;
