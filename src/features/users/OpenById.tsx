import '@mantine/core/styles/Input.layer.css'

import { ActionIcon, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IconArrowRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import { ApiError } from '../../api/index.ts'
import { links } from '../../app/links.ts'
import { users as text } from '../../messages/index.ts'
import { userQuery } from './queries.ts'
import classes from './OpenById.module.css'

/** For an id from a ticket or a log. Whether there is such a user is found out here, without leaving the list. */
export function OpenById() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [malformed, setMalformed] = useState(false)
  const look = useMutation({
    mutationFn: (id: string) => client.query(userQuery(id)),
    onSuccess: (_user, id) => navigate(links.user(id)),
  })
  const id = typed.trim()

  return (
    <form
      className={classes.root}
      onSubmit={(event) => {
        event.preventDefault()
        if (id === '' || look.isPending) return
        const isMalformed = /[\s/@\\]/.test(id) || /^\.{1,2}$/.test(id)
        setMalformed(isMalformed)
        if (!isMalformed) look.mutate(id)
      }}
    >
      <TextInput
        aria-label={text.openById.label}
        placeholder={text.openById.placeholder}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setMalformed(false)
          look.reset()
        }}
        error={malformed ? text.openById.malformed : look.error && failed(look.error)}
        autoComplete="off"
        spellCheck={false}
        rightSection={
          <ActionIcon
            type="submit"
            size={24}
            aria-label={text.openById.open}
            loading={look.isPending}
            data-quiet={id === '' || undefined}
          >
            <IconArrowRight size={15} />
          </ActionIcon>
        }
      />
    </form>
  )
}

function failed(error: Error): string {
  if (!(error instanceof ApiError)) throw error
  return error.status === 404 ? text.openById.notFound : text.openById.failed
}
