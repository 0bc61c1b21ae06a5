import { earlyPart } from './lazy-part.tsx'
import type { DialogProps } from './ModalDialog.tsx'
import { useFocusBack } from './use-focus-back.ts'
import { useTopmost } from './use-topmost.ts'

const ModalDialog = earlyPart(async () => (await import('./overlays.ts')).ModalDialog)

/** A question in Mantine's Modal, with its answers at the foot. Mount it to open it. */
export function Dialog(props: DialogProps) {
  useFocusBack()
  return <ModalDialog {...props} isTopmost={useTopmost()} />
}
