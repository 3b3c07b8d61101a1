# An image with the program, Node.js and git, but without npm and sources. Build it from the tag of a release, or after
# `npm run build`:
#
#   docker build --tag landform .
#   docker build --target fleet --tag landform-fleet .     # with the package for fleets
#
# It runs as any user, and with a read-only root filesystem.

# Pin both by digest if your registry has them.
ARG NODE=docker.io/library/node:24-slim
ARG BASE=docker.io/library/debian:bookworm-slim

FROM ${NODE} AS node

# The dependencies of the package for fleets, in the versions of the lock file. Their install scripts do not run.
FROM ${NODE} AS fleet-packages
WORKDIR /opt/landform
COPY packages/fleet/dist/locked/ ./
RUN npm ci --ignore-scripts --no-audit --no-fund && rm package.json package-lock.json

FROM ${BASE} AS program
# git and ssh are for `--state git:REMOTE`.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git libstdc++6 openssh-client \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/log/apt /var/log/dpkg.log \
  # ssh needs a user with a name.
  && useradd --uid 65532 --user-group --no-log-init --create-home --shell /usr/sbin/nologin landform \
  && install --directory --owner 65532 --group 65532 /site
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY LICENSE dist/THIRD-PARTY-NOTICES.txt dist/sbom.cdx.json /opt/landform/
COPY dist/bin /opt/landform/bin
RUN ln -s /opt/landform/bin/landform.cjs /usr/local/bin/landform
USER 65532:65532
WORKDIR /site
LABEL org.opencontainers.image.title="Landform" \
  org.opencontainers.image.description="Configuration as code for one site of a geospatial enterprise platform on Kubernetes" \
  org.opencontainers.image.licenses="Apache-2.0"
ENTRYPOINT ["landform"]

FROM program AS fleet
COPY --from=fleet-packages /opt/landform/node_modules /opt/landform/node_modules
COPY packages/fleet/package.json /opt/landform/node_modules/@landform/fleet/
COPY packages/fleet/dist/index.cjs packages/fleet/dist/THIRD-PARTY-NOTICES.txt packages/fleet/dist/sbom.cdx.json \
  /opt/landform/node_modules/@landform/fleet/dist/
# Fails the build if a package is missing: without a database the command only reports that.
RUN landform fleet status 2>&1 | grep LANDFORM_DATABASE_URL
LABEL org.opencontainers.image.title="Landform for fleets" \
  org.opencontainers.image.description="Applies the manifests of many sites, from many machines, over PostgreSQL"

# The default target.
FROM program
