import { LazyDialog } from '../../ui/LazyDialog.tsx'
import type { useReveal } from './reveal.ts'
import type { Place } from './save.ts'

const loadDialog = async () => (await import('./RevealDialog.tsx')).RevealDialog

export interface LazyRevealDialogProps {
  readonly place: Required<Place>
  readonly reveal: ReturnType<typeof useReveal>
}

/** While a value is asked for that the service wants a reason for. */
export function LazyRevealDialog({ place, reveal: { asking, show, hide } }: LazyRevealDialogProps) {
  if (!asking) return null
  return <LazyDialog load={loadDialog} given={{ place, row: asking, onRevealed: show, onClose: hide }} />
}
