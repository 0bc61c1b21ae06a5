/** Whether a question lies over the page, which then neither takes the focus nor opens another; a panel beside it is none. */
export const isModalOpen = () => document.querySelector('dialog:modal, [aria-modal="true"]') !== null
