import { earlyPart } from './lazy-part.tsx'
import { type OpenedProps, OpeningButton } from './OpeningButton.tsx'
import type { PopoverFormProps } from './PopoverForm.tsx'

export type FormPopoverProps = PopoverFormProps & OpenedProps

const PopoverForm = earlyPart(async () => (await import('./overlays.ts')).PopoverForm)

/** Form in a popover below its button. The button also names the popover for screen readers. */
export function FormPopover({ face, ...props }: FormPopoverProps) {
  return <OpeningButton face={face} opens="dialog" part={PopoverForm} props={props} />
}
