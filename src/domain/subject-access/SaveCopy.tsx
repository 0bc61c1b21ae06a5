import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'

import { links } from '../links.ts'
import { accessText } from '../../messages/index.ts'
import { CollectionProgress } from './CollectionProgress.tsx'
import { download } from './document.ts'
import classes from './SaveCopy.module.css'
import { useCollection } from './use-collection.ts'

const text = accessText.copy

/** Offers what is held about a user as a file, before it is gone. Sensitive values need a reason, on a page of their own. */
export function SaveCopy({ userId }: { readonly userId: string }) {
  const { state, start, goOn, stop } = useCollection(userId)
  const [saved, setSaved] = useState<string>()
  const keep = async (collected: ReturnType<typeof start>) => {
    const document = await collected
    if (document) setSaved(download(document))
  }
  return (
    <div className={classes.root}>
      {state.status === 'idle' && (
        <Button variant="default" leftSection={<IconDownload size={15} />} onClick={() => void keep(start())}>
          {text.action}
        </Button>
      )}
      <CollectionProgress state={state} onStop={stop} onGoOn={() => void keep(goOn())} />
      <output>{saved !== undefined && text.saved(saved)}</output>
      {saved !== undefined && <Link to={links.subjectAccess(userId)}>{text.include}</Link>}
    </div>
  )
}
