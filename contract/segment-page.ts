/** Segments in one answer. Where there are as many, others may follow. */
export const segmentsPerPage = 1000
