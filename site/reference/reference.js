// There is no gateway behind the site: operations are read, and never tried.
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
  filter: true,
  supportedSubmitMethods: [],
  // By default, this is a badge of another host.
  validatorUrl: null,
});
