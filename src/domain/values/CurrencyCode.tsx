import { useId, useState } from 'react'

import { valueText } from '../../messages/index.ts'
import { currencies } from './currencies.ts'
import { Field, type FieldProps } from './Field.tsx'

/** A code typed or found by its name; the list is made once somebody comes here. */
export function CurrencyCode(props: FieldProps) {
  const list = useId()
  const [visited, setVisited] = useState(false)
  return (
    <>
      <Field
        {...props}
        placeholder={valueText.placeholder.currency}
        size={5}
        list={list}
        onFocus={() => setVisited(true)}
      />
      {visited && (
        <datalist id={list}>
          {currencies().map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </datalist>
      )}
    </>
  )
}
