/** As in the styles: below this the list and the open entity do not stand side by side. */
export function isNarrow(): boolean {
  return matchMedia('(max-width: 900px)').matches
}
