// Runs before the console's code is there: finds the session, and asks the service for what the page shows first.
import { type Ahead, readAhead } from '../api/ahead.ts'
import { type Features, readFeatures } from '../api/connection.ts'
import { readSettings, type Settings } from '../api/settings.ts'
import { type Arrival, arrive } from '../auth/arrive.ts'
import { finishPopup } from '../auth/popup.ts'
import { openSignIn, type SignIn } from '../auth/sign-in.ts'
import { put, sharedStorage } from '../auth/storage.ts'
import { FirstAnswers } from '../api/first-answers.ts'
import { openSharedSession } from '../auth/shared-session.ts'
import { askFirst, takeFirst } from './first-data.ts'
import { readConsole } from './read-console.ts'

export const consoleUrl = new URL('.', document.baseURI).href
const basePath = new URL(consoleUrl).pathname
const isPopup = location.href.startsWith(`${consoleUrl}signed-in/popup?`)

/** What was found out, and asked for, while the console's code was on its way. */
export interface Begun {
  readonly settings: Settings
  readonly features: Features
  readonly signIn: SignIn
  readonly arrival: Arrival
  readonly answers: FirstAnswers
}

/** Absent in the window of a sign-in over another page: there is nothing to begin. */
export const begun = isPopup ? undefined : begin(readAhead())
// Whether it fails is told by the console, once that is there.
begun?.catch(() => undefined)
if (isPopup) void finishPopup(consoleUrl)

void readConsole()

async function begin(ahead: Ahead): Promise<Begun> {
  const sent = ahead.features
  const featuresOf = sent ? async () => sent : guessFeatures()
  const settings = await readSettings(consoleUrl, ahead)
  const { apiUrl } = settings
  const first = takeFirst()
  const signIn = openSignIn(settings, first?.shared ?? openSharedSession(settings), ahead.provider)
  // Asked for while the session is being found.
  const coming = featuresOf(apiUrl)
  const arrival = await arrive(signIn, first?.session)
  const features = await coming
  const answers = first?.answers ?? new FirstAnswers()
  if (!first && typeof arrival === 'object') askFirst(answers, arrival, settings, features)
  return { settings, signIn, arrival, features, answers }
}

/**
 * On a page that brings neither settings nor features, both are asked for at once: the features where the service was the
 * last time. The answer counts if the settings say that it still is there.
 */
function guessFeatures(): (apiUrl: string) => Promise<Features> {
  const key = `data-store.api:${basePath}`
  const guess = sharedStorage?.getItem(key)
  const features = guess == null ? undefined : readFeatures(guess)
  return (apiUrl) => {
    put(sharedStorage, key, apiUrl)
    return features && apiUrl === guess ? features : readFeatures(apiUrl)
  }
}
