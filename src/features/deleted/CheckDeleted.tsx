import { Alert, Box, Button, Group, Radio, TextInput } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Link } from 'react-router'

import type { ErasureCheck } from '#contract/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { useSubmitLock } from '../../domain/writing/use-submit-lock.ts'
import { deletedText, sharedText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { isComposing } from '../../ui/use-pointed.ts'
import { checkErasure } from './queries.ts'

const checkText = deletedText.check

const checkFailure = {
  ...checkText.failure,
  busy: (seconds: number | undefined) =>
    seconds === undefined ? checkText.busy : checkText.busyFor({ minutes: Math.ceil(seconds / 60) }),
}

/** Dialog that tells whether somebody was deleted, by e-mail or ref, neither of which is kept in an address. */
export function CheckDeleted({ onClose }: { readonly onClose: () => void }) {
  const [by, setBy] = useState<'email' | 'ref'>('email')
  const [said, setSaid] = useState('')
  const [isTried, setTried] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { mutate, reset, isPending, data, error } = useMutation(checkErasure)
  // Each question is recorded and questions are limited, so a double submit must not use up two.
  const once = useSubmitLock()
  const value = said.trim()
  const problem = by === 'email' && !/.@./.test(value) ? checkText.badEmail : value === '' && checkText.badRef
  const change = (next: { readonly by?: typeof by; readonly said?: string }) => {
    setBy(next.by ?? by)
    setSaid(next.said ?? said)
    setTried(false)
    // The previous answer does not apply to the new input.
    reset()
  }
  const ask = () => {
    setTried(true)
    if (problem !== false) return field.current?.focus()
    if (!isPending)
      once((free) => mutate(by === 'email' ? { email: value } : { ref: value }, { onSettled: free }))
  }
  const askByEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !isComposing(event) && !event.repeat) ask()
  }
  return (
    <Dialog
      title={checkText.title}
      onClose={onClose}
      back={sharedText.close}
      actions={
        <Button onClick={ask} loading={isPending}>
          {checkText.action}
        </Button>
      }
    >
      <p>{checkText.body}</p>
      <Radio.Group
        label={checkText.by}
        value={by}
        onChange={(next) => change({ by: next === 'ref' ? 'ref' : 'email' })}
      >
        <Group gap="6px 16px">
          <Radio value="email" label={checkText.email} />
          <Radio value="ref" label={checkText.ref} />
        </Group>
      </Radio.Group>
      <TextInput
        ref={field}
        data-autofocus
        dir="auto"
        autoComplete="off"
        label={checkText.said[by]}
        error={isTried && problem}
        required
        spellCheck={false}
        value={said}
        onKeyDown={askByEnter}
        onChange={(event) => change({ said: event.currentTarget.value })}
      />
      {error && <InlineFailure title={checkText.failed} error={error} own={checkFailure} />}
      {data && <Answer {...data} />}
    </Dialog>
  )
}

function Answer({ erasures, unknownUntil }: ErasureCheck) {
  const isFound = erasures.length > 0
  return (
    <Alert
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <output> may hold no list
      role="status"
      icon={<IconInfoCircle aria-hidden />}
      title={isFound ? checkText.yes({ count: erasures.length }) : checkText.no}
    >
      {isFound && (
        <Box component="ul" m={0} ps={18}>
          {erasures.map(({ user, deleted, reference }) => (
            <li key={user}>
              <Timestamp value={deleted} mode="minute" />
              {' · '}
              {reference === undefined ? (
                checkText.withoutReference
              ) : (
                <Box component="span" dir="auto" display="inline-block" maw="100%">
                  {reference}
                </Box>
              )}
              {' · '}
              <Link
                to={links.deletionReceipt(user)}
                aria-label={deletedText.receiptOf({ id: shortId(user) })}
                // Beside text, the colour alone does not distinguish it.
                style={{ textDecoration: 'underline' }}
              >
                {deletedText.columns.receipt}
              </Link>
            </li>
          ))}
        </Box>
      )}
      {!isFound && unknownUntil === undefined && checkText.noBody}
      {unknownUntil !== undefined &&
        checkText.unknown.withElements({ time: <Timestamp value={unknownUntil} mode="minute" /> })}
    </Alert>
  )
}
