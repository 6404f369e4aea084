import { useQuery } from '@tanstack/react-query'

import { projectAddress } from '#data/addresses.ts'
import { AnchorLink } from '#kit/parts/links.tsx'

import { projectQuery } from './projects.ts'

/** A link to a project, by its name; nothing until it is loaded. */
export function ProjectLink({ id }: { readonly id: string }) {
  const { data: project } = useQuery(projectQuery(id))
  if (!project) return null
  return (
    <AnchorLink {...projectAddress(project)} inherit>
      {project.name}
    </AnchorLink>
  )
}
