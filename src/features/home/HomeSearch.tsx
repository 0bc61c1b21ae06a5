import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'

import { listWithText } from '../../domain/user-list/entries.ts'
import { userText } from '../../messages/index.ts'
import { SearchInput } from '../../ui/SearchInput.tsx'
import classes from './HomePage.module.css'

/** The way from the first page to a user: the list of users with what is typed here in its own box. */
export function HomeSearch() {
  const [text, setText] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <div className={classes.search}>
      <SearchInput
        box={box}
        aria-label={userText.search.label}
        placeholder={userText.search.placeholder}
        clearLabel={userText.search.clear}
        value={text}
        onChange={setText}
        enterKeyHint="search"
        onKeyDown={({ key, nativeEvent }) => {
          // Enter that ends the composition of a character is not meant for the search.
          if (key !== 'Enter' || nativeEvent.isComposing || text.trim() === '') return
          const { to, state } = listWithText(client, text)
          void navigate(to, { state })
        }}
      />
    </div>
  )
}
