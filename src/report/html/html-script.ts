/** The report's own script, as text: draws the curve, sorts and filters the table. The page is complete without it. */

export const REPORT_SCRIPT = `
'use strict';
(() => {
  const number = (value) => (value < 0 ? '−' : value > 0 ? '+' : '') +
    Math.abs(value).toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const utc = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');

  const host = document.getElementById('chart');
  const data = JSON.parse(document.getElementById('curve').textContent);
  const legend = document.getElementById('legend');
  const still = legend ? legend.innerHTML : '';
  const named = ['lowest', 'pessimistic', 'central', 'optimistic', 'highest'].filter((name) => data[name]);
  const of = (names, pick) => data.central.map((_, at) => pick(...names.map((name) => data[name][at])));
  const inner = named.filter((name) => name !== 'lowest' && name !== 'highest');
  const low = of(inner, Math.min);
  const high = of(inner, Math.max);
  const isWide = named.length > inner.length;
  const outer = isWide ? [of(named, Math.min), of(named, Math.max)] : [];
  const flat = of(named, Math.min).every((value) => value === 0) && of(named, Math.max).every((value) => value === 0);
  let byMarket = false;
  let chart;

  function timeLabels(_, splits, axis, space, step) {
    let day = '';
    return splits.map((seconds) => {
      const text = new Date(seconds * 1000).toUTCString();
      const date = text.slice(5, 11);
      if (step >= 86400) return date;
      const label = text.slice(17, step < 60 ? 25 : 22) + (date === day ? '' : '\\n' + date);
      day = date;
      return label;
    });
  }

  function readout(u) {
    const at = u.cursor.idx;
    if (at === null || at === undefined) { legend.innerHTML = still; return; }
    const x = Math.floor(u.data[0][at]);
    const when = byMarket ? 'after ' + x + (x === 1 ? ' market' : ' markets') : utc(data.at[at]) + ' UTC';
    legend.replaceChildren(...[when, ...named].map((text, index) => {
      const span = document.createElement('span');
      span.append(text + ' ');
      if (index > 0) { const b = document.createElement('b'); b.textContent = number(data[text][at]); span.append(b); }
      return span;
    }));
  }

  function zeroLine(u) {
    const y = u.valToPos(0, 'y', true);
    if (y < u.bbox.top || y > u.bbox.top + u.bbox.height) return;
    u.ctx.save();
    u.ctx.strokeStyle = colour('--soft');
    u.ctx.globalAlpha = 0.6;
    u.ctx.lineWidth = devicePixelRatio;
    u.ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
    u.ctx.beginPath();
    u.ctx.moveTo(u.bbox.left, y);
    u.ctx.lineTo(u.bbox.left + u.bbox.width, y);
    u.ctx.stroke();
    u.ctx.restore();
  }

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function draw() {
    if (chart) chart.destroy();
    const stepped = uPlot.paths.stepped({ align: 1 });
    const border = { stroke: colour('--accent'), width: 1, alpha: 0.5, dash: [3, 3], paths: stepped, points: { show: false } };
    const edge = { stroke: colour('--accent'), width: 1, alpha: 0.45, paths: stepped, points: { show: false } };
    const axis = {
      stroke: colour('--soft'), font: '12px system-ui, sans-serif',
      grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false },
    };
    chart = new uPlot({
      width: host.clientWidth, height: host.clientHeight,
      legend: { show: false },
      cursor: { y: false, points: { size: 7, width: 2, fill: colour('--card') } },
      scales: { x: { time: !byMarket }, y: { range: flat ? [-1, 1] : { min: { pad: 0.1, soft: 0, mode: 2 }, max: { pad: 0.1, soft: 0, mode: 2 } } } },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1e3), 'Etc/UTC'),
      axes: [
        byMarket ? { ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000] } : { ...axis, size: 44, space: 72, values: timeLabels },
        { ...axis, size: 64, values: (u, splits) => splits.map((v) => (v < 0 ? '−' : '') + Math.abs(v).toLocaleString('en-GB')) },
      ],
      series: [{}, edge, { stroke: colour('--accent'), width: 2.5, paths: stepped, points: { show: data.at.length < 40, size: 6, fill: colour('--card') } }, edge, ...outer.map(() => border)],
      bands: [{ series: [3, 1], fill: colour('--band') }],
      hooks: { setCursor: [readout], drawAxes: [zeroLine] },
    }, [byMarket ? data.market : data.at, low, data.central, high, ...outer], host);
  }

  if (host && data.at.length > 0) {
    draw();
    new ResizeObserver(() => chart.setSize({ width: host.clientWidth, height: host.clientHeight })).observe(host);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
    for (const button of document.querySelectorAll('[data-axis]')) {
      button.addEventListener('click', () => {
        byMarket = button.dataset.axis === 'market';
        for (const each of document.querySelectorAll('[data-axis]')) each.setAttribute('aria-pressed', String(each === button));
        draw();
      });
    }
  }

  const body = document.querySelector('#markets tbody');
  if (!body) return;
  const rows = [...body.rows];
  for (const [column, head] of [...document.querySelectorAll('#markets th')].entries()) {
    head.querySelector('button').addEventListener('click', () => {
      const text = head.dataset.kind === 'text';
      const before = head.getAttribute('aria-sort');
      const down = before === null ? !text : before === 'ascending';
      for (const each of document.querySelectorAll('#markets th')) each.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const key = (row) => row.cells[column].dataset.value;
      const compare = text ? (a, b) => key(a).localeCompare(key(b), 'en', { numeric: true }) : (a, b) => Number(key(a)) - Number(key(b));
      rows.sort((a, b) => (down ? compare(b, a) : compare(a, b)));
      body.append(...rows);
    });
  }
  const search = document.getElementById('search');
  if (search) search.addEventListener('input', () => {
    const wanted = search.value.trim().toLowerCase();
    for (const row of rows) row.hidden = !row.cells[0].dataset.value.toLowerCase().includes(wanted);
  });
})();
`;
