import { Button, Group } from '@mantine/core'

import type { KnownKey } from '#contract/index.ts'
import { knownKeyText, language } from '../../messages/index.ts'
import { dataTypeName } from '../values/data-type-name.ts'

interface KnownKeyProps {
  readonly value: string
  readonly type: string
  readonly known: readonly KnownKey[]
  readonly onTake: (key: KnownKey) => void
}

const aside = { gap: '4px 8px', w: '100%', c: 'dimmed', fz: 'xs' } as const

const alternatives = new Intl.ListFormat(language, { type: 'disjunction' })

/** Notes that no entity has this key, or that the key exists only with other data types. Both may be intended. */
export function KnownKeyNote({ value, type, known, onTake }: KnownKeyProps) {
  const namesakes = known.filter(({ key }) => key === value)
  if (value.trim() === '' || known.length === 0 || namesakes.some((each) => each.type === type)) return null
  if (namesakes.length === 0) return <Group {...aside}>{knownKeyText.unknown}</Group>
  const names = namesakes.map((each) => dataTypeName(each.type))
  return (
    <Group {...aside}>
      {knownKeyText.otherType({ key: value, types: alternatives.format(names) })}
      {namesakes.map((each) => (
        <Button key={each.type} size="compact-xs" variant="default" onClick={() => onTake(each)}>
          {knownKeyText.takeType({ type: dataTypeName(each.type) })}
        </Button>
      ))}
    </Group>
  )
}
