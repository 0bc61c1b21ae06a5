import { Button, Group, Text } from '@mantine/core'

import type { KnownKey } from '#contract/index.ts'
import { knownKeyText, language } from '../../messages/index.ts'
import { dataTypeName } from '../values/data-type-name.ts'
import type { FieldProps } from '../values/Field.tsx'
import { SensitiveMark } from '../values/SensitiveMark.tsx'
import { Suggest } from '../values/Suggest.tsx'
import { matchingKeys } from './known-keys.ts'

export interface KnownKeyProps {
  readonly value: string
  readonly type: string
  readonly known: readonly KnownKey[]
  readonly onTake: (key: KnownKey) => void
}

interface KnownKeyFieldProps
  extends KnownKeyProps, Pick<FieldProps, 'label' | 'placeholder' | 'invalid' | 'describedBy' | 'onChange'> {
  /** Whether the data type may still change, since no value has been given for it. */
  readonly isTypeFree: boolean
  /** Called when the field gains (`true`) or loses (`false`) focus. */
  readonly onEnter: (isIn: boolean) => void
}

/**
 * Input for a property key, with suggestions from the entity type's known keys. Choosing one also sets its data type,
 * and so does typing a key that is known with only one type, as long as no value has been given.
 */
export function KnownKeyField(props: KnownKeyFieldProps) {
  const { value, type, known, onTake, isTypeFree, onEnter, ...field } = props
  const leave = () => {
    onEnter(false)
    const [only, ...others] = known.filter(({ key }) => key === value)
    if (only && only.type !== type && others.length === 0 && isTypeFree) onTake(only)
  }
  return (
    <Suggest
      {...field}
      value={value}
      mono
      onFocus={() => onEnter(true)}
      onBlur={leave}
      listLabel={knownKeyText.list}
      options={matchingKeys(known, value)}
      idOf={(option) => `${option.type} ${option.key}`}
      renderOption={(option) => (
        <>
          <span className="ds-mono">{option.key}</span>
          <Text span c="dimmed" fz="xs" ml="auto">
            {dataTypeName(option.type)}
          </Text>
          {option.sensitive === true && <SensitiveMark />}
        </>
      )}
      onChoose={onTake}
    />
  )
}

export const aside = { gap: '4px 8px', w: '100%', c: 'dimmed', fz: 'xs' } as const

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
