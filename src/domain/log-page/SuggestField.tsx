import { Input } from '@mantine/core'

import { Suggest, type SuggestProps } from '../values/Suggest.tsx'

/** Maximum number of options shown; typing finds the others. */
const shownOptions = 50

/** Field of a log's filter that suggests texts; any other text is allowed, too. */
export function SuggestField({ options, ...field }: Omit<SuggestProps<string>, 'idOf' | 'onChoose'>) {
  const typed = field.value.trim().toLowerCase()
  const matches = options.filter((option) => option.toLowerCase().includes(typed))
  return (
    // The label is hidden from screen readers, because the field itself has an accessible name.
    <Input.Wrapper label={field.label} labelElement="div" labelProps={{ 'aria-hidden': true }}>
      <Suggest
        {...field}
        options={matches.slice(0, shownOptions)}
        idOf={(option) => option}
        onChoose={field.onChange}
      />
    </Input.Wrapper>
  )
}
