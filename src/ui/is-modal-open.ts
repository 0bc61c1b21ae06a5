/**
 * Returns whether a modal dialog covers the page, which must then neither take the focus nor open another one. A side
 * panel does not count.
 */
export const isModalOpen = () => document.querySelector('dialog:modal, [aria-modal="true"]') !== null
