import {
  changesetEndpoints,
  dictionaryEndpoints,
  erasureEndpoints,
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
  ...userSearchEndpoints,
  ...segmentAdditions,
  ...dictionaryEndpoints,
  ...changesetEndpoints,
  ...webhookEndpoints,
  ...erasureEndpoints,
  ...jobEndpoints,
}
