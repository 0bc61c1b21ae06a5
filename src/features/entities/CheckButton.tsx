import { useState } from 'react'
import { useParams } from 'react-router'

import { offers } from '../../api/index.ts'
import { entityText } from '../../messages/index.ts'
import { CheckDialog } from './CheckDialog.tsx'
import { Small } from './Small.tsx'

/** Of the others there are so few values that the service would tell them by its answers. */
const checkable: ReadonlySet<string> = new Set(['TEXT', 'EMAIL', 'URL', 'NUMBER', 'DECIMAL', 'DATE'])

/** Whether the service compares values of a data type with what is said. */
export function isCheckable(type: string): boolean {
  return offers('sensitive.check') && checkable.has(type)
}

/** The way to compare a stored sensitive value without seeing it, for who may not see it too. */
export function CheckButton(property: { readonly propertyKey: string; readonly type: string }) {
  const { propertyKey } = property
  const { userId = '' } = useParams()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Small label={entityText.checkOf(propertyKey)} onClick={() => setAsking(true)}>
        {entityText.check}
      </Small>
      {isAsking && <CheckDialog userId={userId} {...property} onClose={() => setAsking(false)} />}
    </>
  )
}
