import type { FormEvent } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

import { useOnce } from './use-once.ts'

/** @param save Whether that was all: then the form is not sent again, however long it still stands. */
export function useSubmit<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  save: (values: Values) => Promise<boolean>,
) {
  const once = useOnce()
  return (event: FormEvent) => {
    event.preventDefault()
    once((free) => {
      let isDone = false
      const submit = form.handleSubmit(async (values) => {
        isDone = await save(values)
      })
      void submit(event).finally(() => {
        if (!isDone) free()
      })
    })
  }
}
