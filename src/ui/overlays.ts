/**
 * Dialogs, hints and popovers in one chunk that loads after the first page. With their dependencies (floating-ui,
 * focus trap, scroll lock) they take some 40 kB, and no page shows one at first.
 */
export { ModalDialog } from './ModalDialog.tsx'
export { OpenHint } from './OpenHint.tsx'
export { PopoverForm } from './PopoverForm.tsx'
