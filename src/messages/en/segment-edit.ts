import { listed } from '../listed.ts'

/** Texts of changing and duplicating a segment. */
export const segmentEdit = {
  title: (name: string) => `Edit ${name}`,
  copyOf: (name: string) => `Copy of ${name}`,
  submit: 'Save segment',
  saved: (name: string) => `${name} is saved.`,
  savedAnew: (name: string) => `${name} is saved, with a new id.`,
  /** `fields`: changed by somebody else meanwhile, and kept. */
  savedWith: (name: string, fields: readonly string[]) =>
    `${name} is saved. Kept from somebody else’s change: ${listed(fields)}.`,
  failed: 'The segment was not saved',
  lost: {
    title: 'It is not known whether the segment was saved',
    body: 'No answer came. What you typed is still here, and saving it again does no harm.',
  },
  missing: {
    title: 'Somebody deleted this segment meanwhile',
    body: '“Create segment” makes a new segment of it, with another id.',
  },
  noFilter: 'The service tells no filter of this segment, so that there is nothing to start from.',
  fields: { name: 'name', description: 'description', filter: 'filter', tz: 'time zone' },
}
