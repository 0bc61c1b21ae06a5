import { type Logger, pino } from 'pino'

import type { Config } from './config.ts'

/** Opens the log of the service: a line of JSON for each entry, on the standard output. */
export const openLog = (level: Config['logLevel']): Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime })
