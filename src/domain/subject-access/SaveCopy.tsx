import { Button, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'

import { links } from '../links.ts'
import { accessText } from '../../messages/index.ts'
import { CollectionProgress } from './CollectionProgress.tsx'
import { download } from './document.ts'
import { useCollection } from './use-collection.ts'

const text = accessText.copy

/** Offers what is held about a user as a file, before it is gone. Sensitive values need a reason, on a page of their own. */
export function SaveCopy({ userId }: { readonly userId: string }) {
  const collection = useCollection(userId)
  const [saved, setSaved] = useState<string>()
  return (
    <Stack align="flex-start" gap="xs" pt="sm" fz="sm">
      {collection.work.phase === 'idle' && (
        <Button
          variant="default"
          leftSection={<IconDownload size={15} />}
          onClick={() => collection.start(undefined, (document) => setSaved(download(document)))}
        >
          {text.action}
        </Button>
      )}
      <CollectionProgress collection={collection} />
      <output>{saved !== undefined && text.saved(saved)}</output>
      {saved !== undefined && <Link to={links.subjectAccess(userId)}>{text.include}</Link>}
    </Stack>
  )
}
