/**
 * A file of an older build, or the network is gone: nothing else could say so, least of all the frame in the page. Said
 * at the document's end where a file fails before the document has been read as far as the sentence.
 */
export function tellUnloaded(): void {
  delete document.documentElement.dataset['skeleton']
  const sentence = document.querySelector('#unloaded')
  if (sentence) sentence.removeAttribute('hidden')
  else document.addEventListener('DOMContentLoaded', tellUnloaded, { once: true })
}
