import { TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { deletionReference, maxReference } from '#contract/index.ts'
import { isReasonRequired } from '../../api/index.ts'
import { userEditText } from '../../messages/index.ts'

const referenceText = userEditText.remove.reference

type Reference = ReturnType<typeof useReference>

/** Reference of a deletion, as it is typed. */
export function useReference(isAsked: boolean) {
  const [typed, set] = useState('')
  const [isTried, setTried] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const read = deletionReference.safeParse(typed)
  const given = read.success && read.data !== '' ? read.data : undefined
  const problem = isAsked ? checkReference(typed, given) : undefined
  return {
    typed,
    set,
    given,
    field,
    problem: isTried ? problem : undefined,
    isReady: () => {
      flushSync(() => setTried(true))
      if (problem !== undefined) field.current?.focus()
      return problem === undefined
    },
  }
}

function checkReference(typed: string, given: string | undefined): string | undefined {
  if (given !== undefined) return undefined
  if (typed.trim() === '') return isReasonRequired() ? referenceText.missing : undefined
  if (Array.from(typed.trim()).length > maxReference) return referenceText.tooLong({ most: maxReference })
  return typed.includes('@') ? referenceText.email : referenceText.invalid
}

export function ReferenceField({
  reference: { typed, set, field, problem },
}: {
  readonly reference: Reference
}) {
  const isRequired = isReasonRequired()
  return (
    <TextInput
      ref={field}
      label={isRequired ? referenceText.label : referenceText.optional}
      description={referenceText.hint}
      error={problem}
      value={typed}
      required={isRequired}
      // A deletion that needs a reference asks for it first.
      data-autofocus={isRequired || undefined}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}
