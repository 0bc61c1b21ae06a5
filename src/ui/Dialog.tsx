import { earlyPart } from './lazy-part.tsx'
import type { DialogProps } from './ModalDialog.tsx'
import { useFocusBack, useTopmost } from './overlay-hooks.ts'

const ModalDialog = earlyPart(async () => (await import('./overlays.ts')).ModalDialog)

/** Dialog that asks a question, with its answers at the bottom, based on Mantine's Modal. Mounting opens it. */
export function Dialog(props: DialogProps) {
  useFocusBack()
  return <ModalDialog {...props} isTopmost={useTopmost()} />
}
