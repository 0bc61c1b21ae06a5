/** Beginning of the description of a webhook that came with the sample data, whose receiver does not exist. */
export const sampleDescription = 'Sample – '
