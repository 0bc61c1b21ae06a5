import {
  auditEndpoints,
  changesetEndpoints,
  dictionaryEndpoints,
  erasureEndpoints,
  eventAdditions,
  eventEndpoints,
  jobEndpoints,
  segmentAdditions,
  segmentEndpoints,
  userSearchEndpoints,
  webhookEndpoints,
} from '#contract/index.ts'

export const restOfEndpoints = {
  ...segmentEndpoints,
  ...eventEndpoints,
  ...eventAdditions,
  ...userSearchEndpoints,
  ...segmentAdditions,
  ...dictionaryEndpoints,
  ...auditEndpoints,
  ...changesetEndpoints,
  ...webhookEndpoints,
  ...erasureEndpoints,
  ...jobEndpoints,
  ...auditEndpoints,
}
