/** An area of the navigation, by the letter after `g`. */
const areas: Readonly<Record<string, string>> = {
  h: 'home',
  u: 'users',
  s: 'segments',
  e: 'events',
  w: 'webhooks',
  d: 'dictionary',
  a: 'audit',
}
/** So long the letter after `g` may take. */
const goesMs = 2000

let wentAtMs = Number.NEGATIVE_INFINITY

/** Does what a key stands for, where the page has something for it. */
export function press(key: string, target: Element, openSheet: () => void, nowMs = performance.now()): void {
  const isGoing = nowMs - wentAtMs <= goesMs
  wentAtMs = key === 'g' && !isGoing ? nowMs : Number.NEGATIVE_INFINITY
  if (key === 'g') return
  const area = areas[key]
  if (isGoing) {
    if (area !== undefined) control(`aside nav a[href$="/${area}"]:not([aria-disabled])`)?.click()
  } else if (key === '?') openSheet()
  else if (key === 'e') edit(target)
  else if (key === 'a') add(target)
}

const control = (selector: string) => document.querySelector<HTMLElement>(selector)

/** To the entity that has the focus; without one to the first. */
function add(target: Element) {
  const way = '[data-adds-property]'
  const here = target.closest('section')?.querySelector<HTMLElement>(way)
  ;(here ?? control(`#main ${way}`))?.click()
}

/** The row that has the focus; without one the first row takes it. */
function edit(target: Element) {
  const here = target.closest('dl > div')?.querySelector<HTMLElement>('[data-row]')
  if (here) here.click()
  else control('#main [data-row]')?.focus()
}
