// The page's policy forbids `eval`, which zod would try when a schema is made. Its settings live on the global object,
// where they can be put before zod itself comes along with the first form: importing `z.config` costs the first page
// 2 kB (gzip).
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
