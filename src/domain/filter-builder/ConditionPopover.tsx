import { FormPopover, type FormPopoverProps } from '../../ui/FormPopover.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { ConditionFormProps } from './ConditionForm.tsx'

// Loaded on demand: the form includes the filter builder, which most visits to the list do not need.
const Form = lazyPart(async () => (await import('./ConditionForm.tsx')).ConditionForm)

interface ConditionPopoverProps extends Omit<ConditionFormProps, 'onClose' | 'presses'> {
  readonly face: FormPopoverProps['face']
}

/** Button that opens a form for one condition. Pressed again, that of new conditions applies what was written and begins the next. */
export function ConditionPopover({ face, ...condition }: ConditionPopoverProps) {
  return (
    <FormPopover
      face={face}
      widthPx={560}
      staysOpen
      takesPress={condition.condition === undefined}
      code={Form}
    >
      {(close, presses) => <Form {...condition} presses={presses} onClose={close} />}
    </FormPopover>
  )
}
