import { links } from '../../domain/links.ts'

export function isAbout(userId: string, pathname: string): boolean {
  const page = links.user(userId)
  return pathname === page || (pathname.startsWith(`${page}/`) && pathname !== links.subjectAccess(userId))
}
