import { useQuery } from '@tanstack/react-query'
import { api, data, versioned } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import type { Kind } from '../../components/form/use-resource.ts'
import { pathOf } from '../../paths.ts'

export type DisplayCampaign = Answer<'/display/campaign/{id}', 'get'>
export type Placement = Answer<'/display/placement/{id}', 'get'>
export type Content = Answer<'/display/content/{id}', 'get'>

const made = { id: '', name: '', description: null, active: true, creationDate: '', updateDate: '' }

/** What is sent: a new one without an id gets one, and no text is none. */
function bodyOf<T extends { id: string; description: string | null }>({ id, description, ...members }: T) {
  return { ...members, description: description || null, ...(id !== '' && { id }) }
}

export const displayKind: Kind<DisplayCampaign> = {
  ...{ name: 'displayCampaign', list: 'display', home: '/display', pathOf: pathOf.displayCampaign },
  idOf: ({ id }) => id,
  blank: { ...made, startDate: null, endDate: null },
  read: (id, init) => versioned(api.GET('/display/campaign/{id}', { params: { path: { id } }, ...init })),
  create: (campaign) => versioned(api.POST('/display/campaign', { body: bodyOf(campaign) })),
  replace: (id, campaign, headers) =>
    versioned(api.PUT('/display/campaign/{id}', { params: { path: { id } }, headers, body: bodyOf(campaign) })),
  remove: (id) => data(api.DELETE('/display/campaign/{id}', { params: { path: { id } } })),
}

export const placementKind: Kind<Placement> = {
  ...{ name: 'placement', list: 'placements', home: '/display/placements', pathOf: pathOf.placement },
  idOf: ({ id }) => id,
  blank: { ...made, site: null, width: null, height: null },
  read: (id, init) => versioned(api.GET('/display/placement/{id}', { params: { path: { id } }, ...init })),
  create: (placement) => versioned(api.POST('/display/placement', { body: bodyOf(placement) })),
  replace: (id, placement, headers) =>
    versioned(api.PUT('/display/placement/{id}', { params: { path: { id } }, headers, body: bodyOf(placement) })),
  remove: (id) => data(api.DELETE('/display/placement/{id}', { params: { path: { id } } })),
}

/** The contents of a campaign. */
export const contentKind = (campaign: string): Kind<Content> => ({
  ...{ name: 'displayContent', list: 'displayContents', home: pathOf.displayCampaign(campaign) },
  pathOf: () => pathOf.displayCampaign(campaign),
  idOf: ({ id }) => id,
  blank: { ...made, campaign, url: 'https://', placements: [] },
  read: (id, init) => versioned(api.GET('/display/content/{id}', { params: { path: { id } }, ...init })),
  create: (content) => versioned(api.POST('/display/content', { body: bodyOf(content) })),
  replace: (id, content, headers) =>
    versioned(api.PUT('/display/content/{id}', { params: { path: { id } }, headers, body: bodyOf(content) })),
  remove: (id) => data(api.DELETE('/display/content/{id}', { params: { path: { id } } })),
})

export function usePlacements() {
  return useQuery({
    queryKey: ['placements'],
    queryFn: ({ signal }) => data(api.GET('/display/placement', { signal })),
  })
}

/** The contents of a campaign, as lists have them. */
export function useContents(campaign: string) {
  return useQuery({
    queryKey: ['displayContents'],
    queryFn: ({ signal }) => data(api.GET('/display/content', { signal })),
    select: (contents) => contents.filter((content) => content.campaign === campaign),
  })
}

/** A placement as people tell it from others: its name and size. */
export function placementName({ name, width, height }: Placement): string {
  return width !== null && height !== null ? `${name} · ${width} × ${height}` : name
}
