import { FormPopover } from '../../ui/FormPopover.tsx'
import { AddButton } from './AddButton.tsx'
import { useConditionScope } from './condition-context.ts'
import type { Node } from './draft/nodes.ts'
import { SubjectPicker, type SubjectPickerProps } from './SubjectPicker.tsx'

interface SubjectButtonProps extends Pick<SubjectPickerProps, 'entity'> {
  readonly children: string
  /** Accessible name, if the text beside others is not enough. */
  readonly label?: string
  readonly onChoose: (node: Node) => void
}

/** Button that adds a condition or a test: it opens the list of what to choose from. */
export function SubjectButton({ entity, children, label, onChoose }: SubjectButtonProps) {
  const { segments } = useConditionScope()
  return (
    <FormPopover widthPx={400} face={<AddButton label={label}>{children}</AddButton>}>
      {(close) => (
        <SubjectPicker
          entity={entity}
          segments={segments}
          onClose={close}
          onChoose={(node) => {
            close()
            onChoose(node)
          }}
        />
      )}
    </FormPopover>
  )
}
