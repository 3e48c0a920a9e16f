export const shelf = {} as const
