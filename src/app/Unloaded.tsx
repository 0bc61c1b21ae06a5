import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'

import { sharedText, shellText } from '../messages/index.ts'
import { PageSkeleton } from './PageSkeleton.tsx'
import { Told } from './Told.tsx'

const text = shellText.unloaded
/** Longer than this a page does not stay without a word. */
const patienceMs = 5000

/**
 * In the place of a page whose code or styles could not be loaded: it belongs to an older version where its server answers, and
 * is out of reach where that does not.
 */
export function Unloaded() {
  const [isServed, setServed] = useState(() => (navigator.onLine ? undefined : false))
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    if (isServed === undefined) void isAnswering().then(setServed)
  }, [isServed])

  if (isServed === undefined) return <PageSkeleton />
  if (isServed)
    return (
      <Told
        title={text.updatedTitle}
        body={text.updated}
        action={<Button onClick={() => location.reload()}>{shellText.failure.reload}</Button>}
      />
    )
  // A reload without a connection would end on the browser's own page.
  const again = async () => {
    setAsking(true)
    if (await isAnswering()) location.reload()
    setAsking(false)
  }
  return (
    <Told
      title={navigator.onLine ? shellText.failure.offlineTitle : text.offlineTitle}
      body={text.offline}
      action={
        <Button onClick={() => void again()} loading={isAsking}>
          {sharedText.retry}
        </Button>
      }
    />
  )
}

/** Whether the settings of the console can be had, which lie beside its page, whoever serves both. */
function isAnswering(): Promise<boolean> {
  const address = new URL('config.json', document.baseURI)
  return fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) }).then(
    ({ ok }) => ok,
    () => false,
  )
}
