import { useQuery } from '@tanstack/react-query'
import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import type { ResourceDefinition } from '../../components/form/use-resource.ts'
import { objectPaths } from '../../paths.ts'

export type ApiDisplayCampaign = ApiAnswer<'getDisplayCampaign'>
export type ApiPlacement = ApiAnswer<'getDisplayPlacement'>
export type ApiDisplayContent = ApiAnswer<'getDisplayContent'>

const blankMembers = { id: '', name: '', description: null, active: true, creationDate: '', updateDate: '' }

/** Request body: an empty id is omitted so that the service assigns one, and an empty text is null. */
function buildBody<T extends { id: string; description: string | null }>({ id, description, ...members }: T) {
  return { ...members, description: description || null, ...(id !== '' && { id }) }
}

export const displayCampaignResource: ResourceDefinition<ApiDisplayCampaign> = {
  name: 'displayCampaign',
  list: 'display',
  home: '/display',
  pathOf: objectPaths.displayCampaign,
  idOf: ({ id }) => id,
  blank: { ...blankMembers, startDate: null, endDate: null },
  read: (id, init) => readVersionedAnswer(apiClient.getDisplayCampaign, { path: { id }, ...init }),
  create: (campaign) => readVersionedAnswer(apiClient.createDisplayCampaign, { body: buildBody(campaign) }),
  replace: (id, campaign, headers) =>
    readVersionedAnswer(apiClient.updateDisplayCampaign, { path: { id }, headers, body: buildBody(campaign) }),
  remove: (id) => apiClient.deleteDisplayCampaign({ path: { id } }),
}

export const placementResource: ResourceDefinition<ApiPlacement> = {
  name: 'placement',
  list: 'placements',
  home: '/display/placements',
  pathOf: objectPaths.placement,
  idOf: ({ id }) => id,
  blank: { ...blankMembers, site: null, width: null, height: null },
  read: (id, init) => readVersionedAnswer(apiClient.getDisplayPlacement, { path: { id }, ...init }),
  create: (placement) => readVersionedAnswer(apiClient.createDisplayPlacement, { body: buildBody(placement) }),
  replace: (id, placement, headers) =>
    readVersionedAnswer(apiClient.updateDisplayPlacement, { path: { id }, headers, body: buildBody(placement) }),
  remove: (id) => apiClient.deleteDisplayPlacement({ path: { id } }),
}

/** The contents of a campaign. */
export const displayContentResource = (campaign: string): ResourceDefinition<ApiDisplayContent> => ({
  name: 'displayContent',
  list: 'displayContents',
  home: objectPaths.displayCampaign(campaign),
  pathOf: () => objectPaths.displayCampaign(campaign),
  idOf: ({ id }) => id,
  blank: { ...blankMembers, campaign, url: 'https://', placements: [] },
  read: (id, init) => readVersionedAnswer(apiClient.getDisplayContent, { path: { id }, ...init }),
  create: (content) => readVersionedAnswer(apiClient.createDisplayContent, { body: buildBody(content) }),
  replace: (id, content, headers) =>
    readVersionedAnswer(apiClient.updateDisplayContent, { path: { id }, headers, body: buildBody(content) }),
  remove: (id) => apiClient.deleteDisplayContent({ path: { id } }),
})

export function usePlacements() {
  return useQuery({
    queryKey: ['placements'],
    queryFn: ({ signal }) => apiClient.listDisplayPlacements({ signal }),
  })
}

/** The contents of a campaign, as lists have them. */
export function useDisplayContents(campaign: string) {
  return useQuery({
    queryKey: ['displayContents'],
    queryFn: ({ signal }) => apiClient.listDisplayContents({ signal }),
    select: (contents) => contents.filter((content) => content.campaign === campaign),
  })
}

/** A placement as people tell it from others: its name and size. */
export function formatPlacementName({ name, width, height }: ApiPlacement): string {
  return width !== null && height !== null ? `${name} · ${width} × ${height}` : name
}
