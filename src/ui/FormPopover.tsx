import { earlyPart } from './lazy-part.tsx'
import { type OpenedProps, OpeningButton } from './OpeningButton.tsx'
import type { PopoverFormProps } from './PopoverForm.tsx'

export interface FormPopoverProps extends PopoverFormProps {
  /** The button that opens it. */
  readonly face: OpenedProps['face']
}

const PopoverForm = earlyPart(async () => (await import('./overlays.ts')).PopoverForm)

/** A form under the button that opens it, a dialog of that button's name. */
export function FormPopover({ face, ...props }: FormPopoverProps) {
  return <OpeningButton face={face} opens="dialog" part={PopoverForm} props={props} />
}
