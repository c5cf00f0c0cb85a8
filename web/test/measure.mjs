/**
 * What is wrong with the page as it is drawn: run inside the page, it returns sentences.
 *
 * It looks for what is wider than the screen, text that is cut off without an ellipsis, controls that overlap or are too small for a finger,
 * controls without a name, and text whose contrast is below 4.5 to 1.
 */
export function measure() {
  const wrong = [];
  const root = document.documentElement;
  const visible = (element) => element.checkVisibility({ checkOpacity: true }) && !element.closest('.hidden') && element.getBoundingClientRect().width > 1;
  const nameOf = (element) => `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ''}.${element.className} "${(element.textContent || '').trim().slice(0, 30)}"`;
  if (root.scrollWidth > root.clientWidth) wrong.push(`wider than the screen: ${root.scrollWidth}`);

  const controls = [...document.querySelectorAll('a, button, input, select, textarea, summary')].filter(visible);
  for (const control of controls) {
    const box = control.getBoundingClientRect();
    const label = control.getAttribute('aria-label') || control.textContent.trim() || [...(control.labels ?? [])].map((each) => each.textContent).join('');
    if (!label) wrong.push(`no name: ${nameOf(control)}`);
    if (box.left < -1 || box.right > root.clientWidth + 1) wrong.push(`beyond the edge: ${nameOf(control)}`);
    if (control.tagName !== 'A' && control.type !== 'checkbox' && control.tagName !== 'SUMMARY' && box.height < 24) wrong.push(`too small: ${nameOf(control)}`);
    if (control.tagName === 'BUTTON' && control.scrollWidth > control.clientWidth + 1 && getComputedStyle(control).textOverflow !== 'ellipsis') wrong.push(`cut off: ${nameOf(control)}`);
  }
  controls.forEach((control, place) => {
    const a = control.getBoundingClientRect();
    for (const other of controls.slice(place + 1)) {
      const b = other.getBoundingClientRect();
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const isClipped = control.closest('#line') || other.closest('#line');
      if (across > 1 && down > 1 && !isClipped && !control.contains(other)) wrong.push(`overlap: ${nameOf(control)} / ${nameOf(other)}`);
    }
  });

  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  // Layers of colours, painted one over the other, as the browser does.
  const paint = (colors) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const color of colors) {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const brightness = (rgb) => {
    const [r, g, b] = rgb.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !visible(element) || element.closest('.board, :disabled, [aria-disabled=true], option')) continue;
    const grounds = [];
    for (let each = element; each; each = each.parentElement) grounds.unshift(getComputedStyle(each).backgroundColor);
    const [text, ground] = [[...grounds, getComputedStyle(element).color], grounds].map((colors) => brightness(paint(colors)));
    const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    if (contrast < 4.5) wrong.push(`contrast ${contrast.toFixed(1)}: ${nameOf(element)}`);
    const style = getComputedStyle(element);
    if (style.overflow === 'hidden' && element.scrollWidth > element.clientWidth + 1 && style.textOverflow !== 'ellipsis') wrong.push(`cut off: ${nameOf(element)}`);
  }
  return [...new Set(wrong)];
}
