/** A file of an older build, or the network is gone: nothing else could say so, least of all the frame in the page. */
export function tellUnloaded(): void {
  delete document.documentElement.dataset['skeleton']
  document.querySelector('#unloaded')?.removeAttribute('hidden')
}
