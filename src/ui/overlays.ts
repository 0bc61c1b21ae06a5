/**
 * Dialogs, hints and popovers in one file that comes after the first page: they and what they stand on (floating-ui, the focus
 * trap, the lock of scrolling) are some 40 kB, and no page shows one before a press.
 */
export { ModalDialog } from './ModalDialog.tsx'
export { OpenHint } from './OpenHint.tsx'
export { PopoverForm } from './PopoverForm.tsx'
