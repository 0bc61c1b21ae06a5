import { links } from '../../domain/links.ts'

/** Whether an address is the user's page, in whichever of its tabs. */
export function isAbout(userId: string, pathname: string): boolean {
  const page = links.user(userId)
  return pathname === page || (pathname.startsWith(`${page}/`) && pathname !== links.subjectAccess(userId))
}
