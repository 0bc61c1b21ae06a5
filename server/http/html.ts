export interface Markup {
  readonly markup: string
}

type Value = string | Markup | readonly Markup[]

/** Template tag for HTML that escapes every value except markup. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return { markup: parts.map((part, index) => part + render(values[index] ?? '')).join('') }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function render(value: Value): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => entities[character] ?? '')
  return 'markup' in value ? value.markup : value.map(render).join('')
}
