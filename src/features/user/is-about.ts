import { links } from '../../domain/links.ts'

/** Returns whether a path is the user's page or one of its tabs. */
export function isAbout(userId: string, pathname: string): boolean {
  const page = links.user(userId)
  return pathname === page || (pathname.startsWith(`${page}/`) && pathname !== links.subjectAccess(userId))
}
