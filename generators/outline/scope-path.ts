/** Where the scope of the whole cluster lies in the bundle. */
export const scopePath = 'inventory/scope.yml';
